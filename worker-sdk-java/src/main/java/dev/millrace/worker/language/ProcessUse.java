package dev.millrace.worker.language;

/** How long a process of a language lives. */
public enum ProcessUse {
    /** It speaks the process protocol, and serves one job of its script version after another. */
    WARM,
    /**
     * It runs one job and ends. Its standard input is what {@link ScriptLanguage#input} returns, its output is the log
     * of the job, and its exit code says whether the job succeeded. The result is the JSON in the file
     * {@code result.json} of its working folder, else the last line that it wrote to standard output: JSON if that is an
     * object or a list, text otherwise.
     */
    ONCE
}
