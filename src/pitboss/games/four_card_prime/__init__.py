"""Four Card Prime, as approved on 2015-04-23."""
