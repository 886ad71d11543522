package dev.millrace.scheduler.eventhandler;

/** Event on the bus: a flush has noted messages for handlers. */
record MessagesPublished() {}
