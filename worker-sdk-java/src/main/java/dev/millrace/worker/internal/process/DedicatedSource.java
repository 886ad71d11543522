package dev.millrace.worker.internal.process;

import dev.millrace.proto.worker.v1.GetDedicatedScriptsResponse;
import dev.millrace.worker.DedicatedTarget;
import java.util.Collection;

/** Source of the versions for which a worker keeps processes. */
interface DedicatedSource {
    /**
     * Asks which versions are current; blocks.
     *
     * @param known hashes of versions that are here already
     * @throws LoadException if there is nothing at the path of the target
     * @throws LoadException.Unavailable if the source does not answer
     */
    GetDedicatedScriptsResponse get(DedicatedTarget target, Collection<String> known);
}
