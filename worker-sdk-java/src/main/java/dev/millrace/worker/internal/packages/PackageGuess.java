package dev.millrace.worker.internal.packages;

import static java.util.Objects.requireNonNull;

/** What the import of a module says about the package that has it. */
sealed interface PackageGuess {
    /**
     * A package that has the module.
     *
     * @param name of the package, as a requirement names it
     */
    record Known(String name) implements PackageGuess {
        public Known {
            requireNonNull(name, "name");
        }
    }

    /**
     * No package is taken, since the one that is called like the module would be somebody else's.
     *
     * @param reason why, and what to do, for the author of the script
     */
    record Refused(String reason) implements PackageGuess {
        public Refused {
            requireNonNull(reason, "reason");
        }
    }
}
