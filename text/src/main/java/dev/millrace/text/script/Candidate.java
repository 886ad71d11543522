package dev.millrace.text.script;

import static java.util.Objects.requireNonNull;

/**
 * A file that an import may mean.
 *
 * @param path below the root of the files, such as {@code etl/helper.py}
 * @param isNamed whether the import can mean nothing but this file: it is relative, or begins in the top folder of the
 *     script or in one that all scripts share. Others, such as {@code import requests}, may mean a package as well
 */
record Candidate(String path, boolean isNamed) {
    Candidate {
        requireNonNull(path, "path");
    }
}
