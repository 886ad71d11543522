package dev.millrace.text.script;

import static java.util.Objects.requireNonNull;

/**
 * A file that an import may mean.
 *
 * @param path below the root of the files, such as {@code etl/helper.py}
 * @param isNamed whether the import can mean nothing but this file: it is relative, or begins in the top folder of the
 *     script or in one that all scripts share. Others, such as {@code import requests}, may mean a package as well
 * @param isBare whether the import has the name of the file only, without folders, as {@code import slack} has; it never
 *     means a file that imports this name itself
 */
record Candidate(String path, boolean isNamed, boolean isBare) {
    Candidate {
        requireNonNull(path, "path");
    }
}
