package dev.millrace.worker.internal.packages;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What uv is to choose versions of, in words of the worker: nothing that a script has written reaches uv unread.
 *
 * @param fileName by whose ending uv knows the form
 * @param text of the file
 * @param options for uv, such as the indexes that the script names and the operator has listed
 * @param hasAddresses whether a package has an address of its own
 */
record Requirements(String fileName, String text, List<String> options, boolean hasAddresses) {
    Requirements {
        requireNonNull(fileName, "fileName");
        requireNonNull(text, "text");
        options = List.copyOf(options);
    }
}
