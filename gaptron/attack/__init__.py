"""The search for streams that come closest to a theorem's bound, or break it; every find is verified exactly."""
