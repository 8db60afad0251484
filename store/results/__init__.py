"""One query, three surfaces: typed results that pages, the command line and reports all take from here."""
