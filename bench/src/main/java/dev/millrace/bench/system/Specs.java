package dev.millrace.bench.system;

import com.google.protobuf.ByteString;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;

/** Specifications of jobs to run. */
public final class Specs {
    private Specs() {}

    public static RunSpec flow(String path, String input) {
        return spec(RunTarget.newBuilder().setFlowPath(path), input);
    }

    public static RunSpec script(String path, String input) {
        return spec(RunTarget.newBuilder().setScriptPath(path), input);
    }

    public static RunSpec handler(String name, String input) {
        return spec(RunTarget.newBuilder().setHandler(name), input);
    }

    private static RunSpec spec(RunTarget.Builder target, String input) {
        return RunSpec.newBuilder()
                .setTarget(target)
                .setInput(ByteString.copyFromUtf8(input))
                .build();
    }
}
