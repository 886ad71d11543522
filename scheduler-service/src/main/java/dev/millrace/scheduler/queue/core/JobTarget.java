package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

/** The code that a job runs. */
public sealed interface JobTarget {
    /** A version of a script, by the hash of its content. {@code language} determines its default tag. */
    record Script(String hash, Language language) implements JobTarget {
        public Script {
            requireNonNull(hash, "hash");
            requireNonNull(language, "language");
        }

        @Override
        public String key() {
            return hash;
        }

        @Override
        public String defaultTag() {
            return language.tag();
        }
    }

    /** A handler inside a worker's own process. */
    record Handler(String name) implements JobTarget {
        public Handler {
            requireNonNull(name, "name");
        }

        @Override
        public String key() {
            return name;
        }

        @Override
        public String defaultTag() {
            return "handler:" + name;
        }
    }

    /** Identifies the code among others of its kind: the hash of a script, or the name of a handler. */
    String key();

    /** The tag of jobs that name no tag. */
    String defaultTag();
}
