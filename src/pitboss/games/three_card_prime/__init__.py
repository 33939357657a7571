"""Three Card Prime, as approved on 2015-09-25."""
