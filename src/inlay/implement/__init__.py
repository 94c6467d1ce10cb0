"""From a design document to green tests, as a LangGraph graph."""
