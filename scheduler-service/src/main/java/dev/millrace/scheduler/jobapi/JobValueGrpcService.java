package dev.millrace.scheduler.jobapi;

import com.google.protobuf.ByteString;
import dev.millrace.proto.worker.v1.JobValueServiceGrpc;
import dev.millrace.proto.worker.v1.ReadResourceRequest;
import dev.millrace.proto.worker.v1.ReadResourceResponse;
import dev.millrace.proto.worker.v1.ReadSecretRequest;
import dev.millrace.proto.worker.v1.ReadSecretResponse;
import dev.millrace.proto.worker.v1.ReadStateRequest;
import dev.millrace.proto.worker.v1.ReadStateResponse;
import dev.millrace.proto.worker.v1.WriteResourceRequest;
import dev.millrace.proto.worker.v1.WriteResourceResponse;
import dev.millrace.proto.worker.v1.WriteSecretRequest;
import dev.millrace.proto.worker.v1.WriteSecretResponse;
import dev.millrace.proto.worker.v1.WriteStateRequest;
import dev.millrace.proto.worker.v1.WriteStateResponse;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.resource.Resources;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.secret.Secrets;
import dev.millrace.scheduler.secret.core.SecretValue;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** gRPC service by which running jobs read and write secrets, resources and states. */
public final class JobValueGrpcService extends JobValueServiceGrpc.JobValueServiceImplBase {
    /** Largest resource or state that a job writes, in bytes. */
    static final int VALUE_BYTES_MAX = 256 << 10;

    private static final int STATE_PATH_CHARS_MAX = 256;

    private final JobValues values;

    public JobValueGrpcService(Database database, JobRights rights, Secrets secrets, Resources resources) {
        this.values = new JobValues(database, rights, secrets, resources);
    }

    @Override
    public void readSecret(ReadSecretRequest request, StreamObserver<ReadSecretResponse> observer) {
        LeaseFields.requirePath(request.getPath());
        String value = values.secret(lease(request.getJobId(), request.getLeaseToken()), request.getPath());
        Unary.answer(
                observer,
                ReadSecretResponse.newBuilder()
                        .setValue(ByteString.copyFromUtf8(value))
                        .build());
    }

    @Override
    public void writeSecret(WriteSecretRequest request, StreamObserver<WriteSecretResponse> observer) {
        LeaseFields.requirePath(request.getPath());
        Violations violations = new Violations();
        Optional<String> text = RequestFields.text("value", request.getValue(), SecretValue.BYTES_MAX, violations);
        text.flatMap(SecretValue::problem).ifPresent(problem -> violations.add("value", problem));
        violations.throwIfAny();
        values.setSecret(
                lease(request.getJobId(), request.getLeaseToken()),
                request.getPath(),
                new SecretValue(text.orElseThrow()));
        Unary.answer(observer, WriteSecretResponse.getDefaultInstance());
    }

    @Override
    public void readResource(ReadResourceRequest request, StreamObserver<ReadResourceResponse> observer) {
        LeaseFields.requirePath(request.getPath());
        JobValues.Read found = values.resource(lease(request.getJobId(), request.getLeaseToken()), request.getPath());
        ReadResourceResponse.Builder answer = ReadResourceResponse.newBuilder()
                .setValue(ByteString.copyFromUtf8(found.value().toString()));
        found.secrets().forEach(secret -> answer.addMasked(ByteString.copyFromUtf8(secret.text())));
        Unary.answer(observer, answer.build());
    }

    @Override
    public void writeResource(WriteResourceRequest request, StreamObserver<WriteResourceResponse> observer) {
        LeaseFields.requirePath(request.getPath());
        Json value = LeaseFields.value(request.getValue(), VALUE_BYTES_MAX);
        values.setResource(
                lease(request.getJobId(), request.getLeaseToken()), request.getPath(), request.getType(), value);
        Unary.answer(observer, WriteResourceResponse.getDefaultInstance());
    }

    @Override
    public void readState(ReadStateRequest request, StreamObserver<ReadStateResponse> observer) {
        requireStatePath(request.getPath());
        Optional<Json> found = values.state(lease(request.getJobId(), request.getLeaseToken()), request.getPath());
        ReadStateResponse.Builder answer = ReadStateResponse.newBuilder().setFound(found.isPresent());
        found.ifPresent(value -> answer.setValue(ByteString.copyFromUtf8(value.text())));
        Unary.answer(observer, answer.build());
    }

    @Override
    public void writeState(WriteStateRequest request, StreamObserver<WriteStateResponse> observer) {
        requireStatePath(request.getPath());
        Json value = LeaseFields.value(request.getValue(), VALUE_BYTES_MAX);
        values.setState(lease(request.getJobId(), request.getLeaseToken()), request.getPath(), value);
        Unary.answer(observer, WriteStateResponse.getDefaultInstance());
    }

    private static LeaseCredential lease(String jobId, long token) {
        return LeaseCredential.parse(jobId, token);
    }

    private static void requireStatePath(String path) {
        if (path.length() > STATE_PATH_CHARS_MAX || path.indexOf('\0') >= 0) {
            throw MillraceException.invalid(
                    "path",
                    path.length() + " characters (expected: at most " + STATE_PATH_CHARS_MAX + ", none of them NUL)");
        }
    }
}
