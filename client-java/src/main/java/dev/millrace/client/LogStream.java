package dev.millrace.client;

/** Source of a piece of log. */
public enum LogStream {
    STDOUT,
    STDERR,
    SYSTEM,
    TRACE
}
