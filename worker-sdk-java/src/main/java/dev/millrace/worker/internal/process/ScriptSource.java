package dev.millrace.worker.internal.process;

import dev.millrace.proto.script.v1.Script;

/** Source of scripts. */
interface ScriptSource {
    /**
     * Fetches one version with its content.
     *
     * @throws LoadException if the version does not exist
     * @throws LoadException.Unavailable if the source does not answer
     */
    Script fetch(ScriptKey key);
}
