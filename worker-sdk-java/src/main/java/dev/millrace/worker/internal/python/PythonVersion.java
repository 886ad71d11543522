package dev.millrace.worker.internal.python;

import java.util.Comparator;

/** A version of Python, such as 3.12.1. */
public record PythonVersion(int major, int minor, int micro) implements Comparable<PythonVersion> {
    private static final Comparator<PythonVersion> ORDER = Comparator.comparingInt(PythonVersion::major)
            .thenComparingInt(PythonVersion::minor)
            .thenComparingInt(PythonVersion::micro);

    /** The oldest that runs scripts. */
    static final PythonVersion OLDEST = new PythonVersion(3, 10, 0);

    @Override
    public int compareTo(PythonVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + micro;
    }
}
