package dev.millrace.worker;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/** The token by which a worker proves that it may take jobs. */
public sealed interface WorkerToken {
    /** No token, for a scheduler on the same machine. */
    WorkerToken NONE = new None();

    /** A given token. */
    static WorkerToken of(String text) {
        return new Given(text);
    }

    /** The first line of a file, which is read again once the scheduler refuses the token. */
    static WorkerToken inFile(Path file) {
        return new InFile(file);
    }

    /** There is no token. */
    record None() implements WorkerToken {}

    /** The token itself. */
    record Given(String text) implements WorkerToken {
        public Given {
            requireNonNull(text, "text");
            if (text.isBlank()) {
                throw new IllegalArgumentException("The token of the worker is empty.");
            }
        }

        /** Hides the token. */
        @Override
        public String toString() {
            return "Given[...]";
        }
    }

    /** The token is the first line of a file. */
    record InFile(Path file) implements WorkerToken {
        public InFile {
            requireNonNull(file, "file");
        }
    }
}
