package dev.millrace.bench.system;

import com.google.protobuf.ByteString;
import dev.millrace.proto.job.v1.JobSpec;
import dev.millrace.proto.job.v1.JobTarget;

/** Specifications of jobs to run. */
public final class Specs {
    private Specs() {}

    public static JobSpec flow(String path, String input) {
        return spec(JobTarget.newBuilder().setFlowPath(path), input);
    }

    public static JobSpec script(String path, String input) {
        return spec(JobTarget.newBuilder().setScriptPath(path), input);
    }

    public static JobSpec handler(String name, String input) {
        return spec(JobTarget.newBuilder().setHandler(name), input);
    }

    private static JobSpec spec(JobTarget.Builder target, String input) {
        return JobSpec.newBuilder()
                .setTarget(target)
                .setInput(ByteString.copyFromUtf8(input))
                .build();
    }
}
