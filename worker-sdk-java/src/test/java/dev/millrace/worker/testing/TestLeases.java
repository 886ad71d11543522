package dev.millrace.worker.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.worker.v1.Lease;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Makes leases. */
public final class TestLeases {
    private static final AtomicLong tokens = new AtomicLong(1000);

    private TestLeases() {}

    public static Lease handler(String name, String input) {
        return any(input).setHandler(name).setSlotGroup("handlers").build();
    }

    public static Lease script(String group, String hash, String input) {
        return any(input).setScriptHash(hash).setSlotGroup(group).build();
    }

    public static Lease withTimeoutMillis(Lease lease, int millis) {
        return lease.toBuilder()
                .setTimeout(Duration.newBuilder().setSeconds(millis / 1_000).setNanos(millis % 1_000 * 1_000_000))
                .build();
    }

    public static Lease withSecrets(Lease lease) {
        return lease.toBuilder().setHasSecrets(true).build();
    }

    private static Lease.Builder any(String input) {
        return Lease.newBuilder()
                .setJobId(UUID.randomUUID().toString())
                .setLeaseToken(tokens.incrementAndGet())
                .setAttempt(1)
                .setInput(ByteString.copyFromUtf8(input))
                .setTimeout(Duration.newBuilder().setSeconds(60))
                .setRunId("run")
                .setWorkspace("default");
    }
}
