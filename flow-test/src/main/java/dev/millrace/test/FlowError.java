package dev.millrace.test;

/**
 * Why a run failed or was canceled.
 *
 * @param name type of the error, for example {@code TimedOut}
 * @param message full sentences
 */
public record FlowError(String name, String message) {}
