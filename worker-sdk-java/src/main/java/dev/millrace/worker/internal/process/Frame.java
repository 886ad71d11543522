package dev.millrace.worker.internal.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.trace.v1.Span;

/** One message from a process to its host. */
sealed interface Frame {
    record Ready(int protocol, String runtime) implements Frame {}

    record LoadError(JobError error) implements Frame {}

    record Log(String jobId, LogChunk.Stream stream, String text) implements Frame {}

    record Result(String jobId, ByteString json) implements Frame {}

    /**
     * The job has failed.
     *
     * @param spent whether the process must run no further job, since the end of this one may have left it in disorder
     */
    record Failed(String jobId, JobError error, boolean spent) implements Frame {}

    /**
     * Tells people how far the job is.
     *
     * @param value any JSON
     */
    record Progress(String jobId, String value) implements Frame {}

    /** A piece of the job's work that was traced. */
    record Traced(String jobId, Span span) implements Frame {}

    /**
     * Asks for something that the process cannot do itself, and waits for the answer.
     *
     * @param number distinguishes the answer from those to other calls of the process
     */
    record Call(String jobId, long number, String method, JsonNode arguments) implements Frame {}
}
