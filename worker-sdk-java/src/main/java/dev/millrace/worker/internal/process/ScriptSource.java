package dev.millrace.worker.internal.process;

import dev.millrace.proto.script.v1.Script;
import dev.millrace.worker.internal.packages.LockKeeper;
import dev.millrace.worker.internal.session.LeasedJob;
import java.util.Optional;
import java.util.function.Supplier;

/** Source of scripts. */
interface ScriptSource {
    /**
     * Fetches one version with its content.
     *
     * @param lease finds a lease of a job that runs the version, which entitles this worker to it; empty once there is
     *     none
     * @throws LoadException if the version does not exist, or no job needs it
     * @throws LoadException.Unavailable if the source does not answer
     */
    Script fetch(ScriptKey key, Supplier<Optional<LeasedJob>> lease);

    /** Where the versions of packages that a script needs are kept. By default each worker chooses for itself. */
    default LockKeeper locks(Supplier<Optional<LeasedJob>> lease) {
        return LockKeeper.NOWHERE;
    }

    /**
     * Keeps the schema of the inputs of a job's script, unless there is one. By default, it is kept nowhere.
     *
     * @throws LoadException if the schema is refused
     * @throws LoadException.Unavailable if the source does not answer
     */
    default void keepSchema(LeasedJob job, byte[] schema) {}
}
