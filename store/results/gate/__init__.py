"""Gates: a candidate against a baseline under a gate set frozen before it ran."""
