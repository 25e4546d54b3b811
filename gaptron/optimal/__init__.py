"""Against every algorithm: adversaries that force a regret, exactly."""
