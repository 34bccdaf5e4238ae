// A room that has no source file yet.
