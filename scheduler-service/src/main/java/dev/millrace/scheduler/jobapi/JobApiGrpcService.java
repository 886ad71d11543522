package dev.millrace.scheduler.jobapi;

import com.google.protobuf.ByteString;
import dev.millrace.proto.worker.v1.AcquireLockRequest;
import dev.millrace.proto.worker.v1.AcquireLockResponse;
import dev.millrace.proto.worker.v1.GetDataRequest;
import dev.millrace.proto.worker.v1.GetDataResponse;
import dev.millrace.proto.worker.v1.GetPackageLockRequest;
import dev.millrace.proto.worker.v1.GetPackageLockResponse;
import dev.millrace.proto.worker.v1.GetScriptRequest;
import dev.millrace.proto.worker.v1.GetScriptResponse;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.KeepInputSchemaRequest;
import dev.millrace.proto.worker.v1.KeepInputSchemaResponse;
import dev.millrace.proto.worker.v1.KeepPackageLockRequest;
import dev.millrace.proto.worker.v1.KeepPackageLockResponse;
import dev.millrace.proto.worker.v1.ReleaseLockRequest;
import dev.millrace.proto.worker.v1.ReleaseLockResponse;
import dev.millrace.proto.worker.v1.ResolveSecretsRequest;
import dev.millrace.proto.worker.v1.ResolveSecretsResponse;
import dev.millrace.proto.worker.v1.ResolvedValue;
import dev.millrace.proto.worker.v1.SetDataRequest;
import dev.millrace.proto.worker.v1.SetDataResponse;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.input.InputSchema;
import dev.millrace.scheduler.input.InputSchemas;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.script.Script;
import dev.millrace.scheduler.script.ScriptProtos;
import dev.millrace.scheduler.script.Scripts;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** The gRPC service that running jobs may call. */
public final class JobApiGrpcService extends JobApiServiceGrpc.JobApiServiceImplBase {
    static final Duration TTL_MIN = Duration.ofMillis(1);
    /** Longest time for which a mutex is held unless it is acquired again. */
    static final Duration TTL_MAX = Duration.ofHours(24);
    /** Maximum number of characters in the name of a mutex, and in a key. */
    static final int NAME_CHARS_MAX = 256;
    /** Maximum size of the value of a key, in bytes. */
    static final int VALUE_BYTES_MAX = 256 << 10;

    /** Maximum number of characters of the versions of packages chosen for a script. */
    static final int PACKAGE_LOCK_CHARS_MAX = 1 << 20;

    /** Maximum number of packages that are inferred from the imports of one script. */
    static final int INFERRED_MAX = 1_000;

    private static final Pattern PACKAGE_NAME = Pattern.compile("[A-Za-z0-9._-]{1,200}");
    private static final Pattern INTERPRETER = Pattern.compile("[a-z0-9._-]{1,64}");

    private final JobApi api;

    public JobApiGrpcService(
            Database database, JobRights rights, Scripts scripts, InputSchemas schemas, JobSecrets secrets) {
        this.api = new JobApi(database, rights, scripts, schemas, secrets);
    }

    @Override
    public void getScript(GetScriptRequest request, StreamObserver<GetScriptResponse> observer) {
        Script script = api.script(LeaseCredential.parse(request.getJobId(), request.getLeaseToken()));
        Unary.answer(
                observer,
                GetScriptResponse.newBuilder()
                        .setScript(ScriptProtos.withContent(script))
                        .build());
    }

    @Override
    public void getPackageLock(GetPackageLockRequest request, StreamObserver<GetPackageLockResponse> observer) {
        requireInterpreter(request.getInterpreter());
        String lock = api.packageLock(
                        LeaseCredential.parse(request.getJobId(), request.getLeaseToken()), request.getInterpreter())
                .orElse("");
        Unary.answer(observer, GetPackageLockResponse.newBuilder().setLock(lock).build());
    }

    @Override
    public void keepPackageLock(KeepPackageLockRequest request, StreamObserver<KeepPackageLockResponse> observer) {
        requireInterpreter(request.getInterpreter());
        String lock = request.getLock();
        if (lock.isEmpty() || lock.length() > PACKAGE_LOCK_CHARS_MAX || lock.indexOf('\0') >= 0) {
            throw MillraceException.invalid(
                    "lock",
                    lock.length() + " characters (expected: 1 to " + PACKAGE_LOCK_CHARS_MAX + ", none of them NUL)");
        }
        List<String> inferred = request.getInferredList();
        if (inferred.size() > INFERRED_MAX || !inferred.stream().allMatch(PACKAGE_NAME.asMatchPredicate())) {
            throw MillraceException.invalid(
                    "inferred",
                    inferred.size() + " names (expected: at most " + INFERRED_MAX
                            + ", each of 1 to 200 letters, digits, '_', '.' and '-')");
        }
        String kept = api.keepPackageLock(
                LeaseCredential.parse(request.getJobId(), request.getLeaseToken()),
                request.getInterpreter(),
                lock,
                inferred);
        Unary.answer(
                observer, KeepPackageLockResponse.newBuilder().setLock(kept).build());
    }

    @Override
    public void keepInputSchema(KeepInputSchemaRequest request, StreamObserver<KeepInputSchemaResponse> observer) {
        Violations violations = new Violations();
        Optional<String> text =
                RequestFields.text("schema", request.getSchema(), 4 * InputSchema.CHARS_MAX, violations);
        violations.throwIfAny();
        Json schema = InputSchemas.require(text.orElseThrow(), "schema");
        boolean isKept =
                api.keepInputSchema(LeaseCredential.parse(request.getJobId(), request.getLeaseToken()), schema);
        Unary.answer(
                observer, KeepInputSchemaResponse.newBuilder().setKept(isKept).build());
    }

    @Override
    public void acquireLock(AcquireLockRequest request, StreamObserver<AcquireLockResponse> observer) {
        LeaseCredential lease = LeaseCredential.parse(request.getJobId(), request.getLeaseToken());
        Hold hold = hold(lease, request.getName(), request.getHoldId());
        Duration ttl = ttl(request);
        AcquireLockResponse.Builder answer = AcquireLockResponse.newBuilder();
        switch (api.acquire(hold, ttl)) {
            case MutexAnswer.Acquired(long fence) -> answer.setAcquired(true).setFence(fence);
            case MutexAnswer.Busy(Duration left) -> answer.setRetryAfter(TimeProtos.duration(left));
        }
        Unary.answer(observer, answer.build());
    }

    @Override
    public void releaseLock(ReleaseLockRequest request, StreamObserver<ReleaseLockResponse> observer) {
        LeaseCredential lease = LeaseCredential.parse(request.getJobId(), request.getLeaseToken());
        boolean released = api.release(hold(lease, request.getName(), request.getHoldId()));
        Unary.answer(
                observer, ReleaseLockResponse.newBuilder().setReleased(released).build());
    }

    @Override
    public void setData(SetDataRequest request, StreamObserver<SetDataResponse> observer) {
        requireName("key", request.getKey());
        Json value = LeaseFields.value(request.getValue(), VALUE_BYTES_MAX);
        LeaseCredential lease = LeaseCredential.parse(request.getJobId(), request.getLeaseToken());
        api.set(lease, request.getKey(), value);
        Unary.answer(observer, SetDataResponse.getDefaultInstance());
    }

    @Override
    public void getData(GetDataRequest request, StreamObserver<GetDataResponse> observer) {
        requireName("key", request.getKey());
        GetDataResponse.Builder answer = GetDataResponse.newBuilder();
        api.get(LeaseCredential.parse(request.getJobId(), request.getLeaseToken()), request.getKey())
                .ifPresent(value -> answer.setFound(true).setValue(ByteString.copyFromUtf8(value.text())));
        Unary.answer(observer, answer.build());
    }

    @Override
    public void resolveSecrets(ResolveSecretsRequest request, StreamObserver<ResolveSecretsResponse> observer) {
        JobSecrets.Resolved resolved =
                api.resolveSecrets(LeaseCredential.parse(request.getJobId(), request.getLeaseToken()));
        ResolveSecretsResponse.Builder answer = ResolveSecretsResponse.newBuilder();
        resolved.placed()
                .forEach(placed -> answer.addValues(ResolvedValue.newBuilder()
                        .setPointer(placed.pointer())
                        .setValue(ByteString.copyFromUtf8(placed.value().toString()))));
        resolved.used().forEach(value -> answer.addMasked(ByteString.copyFromUtf8(value.text())));
        Unary.answer(observer, answer.build());
    }

    private static Duration ttl(AcquireLockRequest request) {
        Violations violations = new Violations();
        Duration ttl = violations
                .collect("ttl", () -> TimeProtos.duration(request.getTtl()))
                .orElse(Duration.ZERO);
        violations.require(
                ttl.compareTo(TTL_MIN) >= 0 && ttl.compareTo(TTL_MAX) <= 0,
                "ttl",
                ttl + " (expected: 1 millisecond to 24 hours)");
        violations.throwIfAny();
        return ttl;
    }

    private static Hold hold(LeaseCredential lease, String name, String holdId) {
        requireName("name", name);
        try {
            return new Hold(lease, name, UUID.fromString(holdId));
        } catch (IllegalArgumentException notAnId) {
            throw MillraceException.invalid("hold_id", "\"" + holdId + "\" (expected: a UUID)");
        }
    }

    private static void requireInterpreter(String name) {
        if (!INTERPRETER.matcher(name).matches()) {
            throw MillraceException.invalid(
                    "interpreter", "\"" + name + "\" (expected: an interpreter with its version, such as python3.12)");
        }
    }

    private static void requireName(String field, String name) {
        if (name.isEmpty() || name.length() > NAME_CHARS_MAX || name.indexOf('\0') >= 0) {
            throw MillraceException.invalid(
                    field, "\"" + name + "\" (expected: 1 to " + NAME_CHARS_MAX + " characters, none of them NUL)");
        }
    }
}
