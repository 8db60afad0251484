"""The report of a study: every measure, computed once, for pages, the command line and exports."""
