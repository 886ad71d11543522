package dev.millrace.client;

import static java.util.Objects.requireNonNull;

/** What to run. A path means its current version. */
public sealed interface Target {
    /** The current version of a flow. */
    static Target flow(String path) {
        return new OfFlow(path);
    }

    /** The version of a flow with this hash. */
    static Target flowHash(String hash) {
        return new OfFlowHash(hash);
    }

    /** The current version of a script. */
    static Target script(String path) {
        return new OfScript(path);
    }

    /** The version of a script with this hash. */
    static Target scriptHash(String hash) {
        return new OfScriptHash(hash);
    }

    /** A handler, which a worker offers in its own process. */
    static Target handler(String name) {
        return new OfHandler(name);
    }

    /** A flow by its path. */
    record OfFlow(String path) implements Target {
        public OfFlow {
            requireNonNull(path, "path");
        }
    }

    /** A version of a flow. */
    record OfFlowHash(String hash) implements Target {
        public OfFlowHash {
            requireNonNull(hash, "hash");
        }
    }

    /** A script by its path. */
    record OfScript(String path) implements Target {
        public OfScript {
            requireNonNull(path, "path");
        }
    }

    /** A version of a script. */
    record OfScriptHash(String hash) implements Target {
        public OfScriptHash {
            requireNonNull(hash, "hash");
        }
    }

    /** A handler by its name. */
    record OfHandler(String name) implements Target {
        public OfHandler {
            requireNonNull(name, "name");
        }
    }
}
