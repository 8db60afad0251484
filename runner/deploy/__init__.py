"""From a plan to sealed bundles: processes, what they wrote, and what it means."""
