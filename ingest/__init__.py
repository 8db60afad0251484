"""From other people's files to sealed bundles in a store. Imports `store` and nothing else of the project."""
