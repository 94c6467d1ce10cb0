"""What is kept between runs, one file for each kind."""
