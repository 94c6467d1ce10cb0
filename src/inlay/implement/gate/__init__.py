"""What must hold before a document is carried out."""
