package dev.millrace.scheduler.postgres;

/** What a resource says of a database: how to reach it, or why it does not. */
sealed interface Reading permits Endpoint, Unusable {}
