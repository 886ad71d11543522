package dev.millrace.worker.internal.process;

import dev.millrace.proto.common.v1.Language;

/** The kinds of process that run scripts. */
public enum ScriptRuntime {
    PYTHON(".py"),
    DENO(".ts");

    private final String fileEnding;

    ScriptRuntime(String fileEnding) {
        this.fileEnding = fileEnding;
    }

    /** Ending of a script's file where its path has none that says the language. */
    String fileEnding() {
        return fileEnding;
    }

    static ScriptRuntime of(Language language) {
        return switch (language) {
            case LANGUAGE_PYTHON -> PYTHON;
            case LANGUAGE_DENO -> DENO;
            case LANGUAGE_UNSPECIFIED, UNRECOGNIZED ->
                throw new LoadException("The script's language is not known to this worker: update the worker.", true);
        };
    }

    /** Reads the runtime from a file name that {@link ScriptStore} has given. */
    static ScriptRuntime ofFileName(String fileName) {
        return fileName.endsWith(PYTHON.fileEnding) ? PYTHON : DENO;
    }
}
