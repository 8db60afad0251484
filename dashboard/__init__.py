"""The pages. Only this room draws; every number on a page comes from `store.results`."""
