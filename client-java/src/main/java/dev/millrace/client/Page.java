package dev.millrace.client;

import java.util.List;

/**
 * Entries of one page.
 *
 * @param nextToken token of the next page; empty on the last one
 */
record Page<T>(List<T> entries, String nextToken) {}
