package dev.millrace.worker.internal.process;

import com.google.protobuf.ByteString;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.log.v1.LogChunk;

/** One message of a process to its host. */
sealed interface Frame {
    record Ready(int protocol, String runtime) implements Frame {}

    record LoadError(JobError error) implements Frame {}

    record Started(String jobId) implements Frame {}

    record Log(String jobId, LogChunk.Stream stream, String text) implements Frame {}

    record Result(String jobId, ByteString json) implements Frame {}

    record Failed(String jobId, JobError error) implements Frame {}

    record Progress(String jobId) implements Frame {}
}
