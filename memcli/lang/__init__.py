"""What is known about human language: words, times, people. Pure functions over text."""
