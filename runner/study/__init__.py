"""From a study file to a plan: what is asked, of which deployments, with which prompts."""
