package dev.millrace.worker.internal.process;

import dev.millrace.proto.script.v1.Script;

/** Where scripts come from. */
interface ScriptSource {
    /**
     * Fetches one version with its content.
     *
     * @throws LoadException where there is none
     * @throws LoadException.Unavailable where the source does not answer
     */
    Script fetch(ScriptKey key);
}
