package dev.millrace.worker.internal.packages;

/** Packages of a script cannot be had; the message is for the author of the script. */
public final class PackageException extends Exception {
    private final boolean passing;

    PackageException(String message, boolean passing) {
        super(message);
        this.passing = passing;
    }

    /** Whether a later attempt may succeed: an index was out of reach, or the disk was full. */
    public boolean isPassing() {
        return passing;
    }
}
