"""The audit as one offline HTML file."""
