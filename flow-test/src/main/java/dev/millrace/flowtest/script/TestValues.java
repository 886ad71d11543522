package dev.millrace.flowtest.script;

import com.google.protobuf.ByteString;
import dev.millrace.proto.worker.v1.JobValueServiceGrpc;
import dev.millrace.proto.worker.v1.ReadResourceRequest;
import dev.millrace.proto.worker.v1.ReadResourceResponse;
import dev.millrace.proto.worker.v1.ReadSecretRequest;
import dev.millrace.proto.worker.v1.ReadSecretResponse;
import dev.millrace.proto.worker.v1.ResolveSecretsResponse;
import dev.millrace.proto.worker.v1.ResolvedValue;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Placeholders;
import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.queue.core.Json;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.function.Function;

/** Gives scripts the secrets and resources of a test: in their inputs, and where they ask for them. */
final class TestValues extends JobValueServiceGrpc.JobValueServiceImplBase {
    /** Minimum number of bytes of a secret that is masked, as in an installation. */
    private static final int MASKED_BYTES_MIN = 8;

    private final Function<String, NamedValues> ofJob;

    /** @param ofJob the values for a job, by its id */
    TestValues(Function<String, NamedValues> ofJob) {
        this.ofJob = ofJob;
    }

    @Override
    public void readSecret(ReadSecretRequest request, StreamObserver<ReadSecretResponse> observer) {
        String value = ofJob.apply(request.getJobId()).secrets().get(request.getPath());
        if (value == null) {
            observer.onError(missing("The test gives no secret " + request.getPath() + "."));
            return;
        }
        observer.onNext(ReadSecretResponse.newBuilder()
                .setValue(ByteString.copyFromUtf8(value))
                .build());
        observer.onCompleted();
    }

    @Override
    public void readResource(ReadResourceRequest request, StreamObserver<ReadResourceResponse> observer) {
        Json value = ofJob.apply(request.getJobId()).resources().get(request.getPath());
        if (value == null) {
            observer.onError(missing("The test gives no resource " + request.getPath() + "."));
            return;
        }
        observer.onNext(ReadResourceResponse.newBuilder()
                .setValue(ByteString.copyFromUtf8(value.text()))
                .build());
        observer.onCompleted();
    }

    /**
     * The values for the references in an input.
     *
     * @throws StatusRuntimeException if the test does not give one of them
     */
    static ResolveSecretsResponse resolve(Json input, NamedValues values) {
        ResolveSecretsResponse.Builder resolved = ResolveSecretsResponse.newBuilder();
        place(JsonValue.of(input), "", values, resolved);
        values.secrets().values().stream()
                .map(ByteString::copyFromUtf8)
                .filter(secret -> secret.size() >= MASKED_BYTES_MIN)
                .forEach(resolved::addMasked);
        return resolved.build();
    }

    private static void place(
            JsonValue value, String pointer, NamedValues values, ResolveSecretsResponse.Builder resolved) {
        switch (value.kind()) {
            case OBJECT ->
                value.members().forEach((key, member) -> place(member, pointer + "/" + escaped(key), values, resolved));
            case ARRAY -> {
                for (int i = 0; i < value.elements().size(); i++) {
                    place(value.elements().get(i), pointer + "/" + i, values, resolved);
                }
            }
            case STRING -> {
                if (Placeholders.mayBeIn(value.string())) {
                    resolved.addValues(ResolvedValue.newBuilder()
                            .setPointer(pointer)
                            .setValue(ByteString.copyFromUtf8(
                                    filled(value.string(), values).text())));
                }
            }
            case NULL, BOOLEAN, NUMBER -> {}
        }
    }

    private static String escaped(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }

    /** A text that is one reference becomes its value; in others, references become text. */
    private static JsonValue filled(String text, NamedValues values) {
        String filled = text;
        for (var secret : values.secrets().entrySet()) {
            filled = filled.replace(placeholder(ReferenceKind.SECRET, secret.getKey()), secret.getValue());
        }
        for (var resource : values.resources().entrySet()) {
            String placeholder = placeholder(ReferenceKind.RESOURCE, resource.getKey());
            if (filled.equals(placeholder)) {
                return JsonValue.of(resource.getValue());
            }
            filled = filled.replace(placeholder, resource.getValue().text());
        }
        if (Placeholders.mayBeIn(filled)) {
            throw missing("The input of the step holds " + filled + ", which the test does not give.");
        }
        return JsonValue.ofString(filled);
    }

    private static String placeholder(ReferenceKind kind, String path) {
        return new Root.Reference(kind, path).placeholder();
    }

    private static StatusRuntimeException missing(String what) {
        return Status.FAILED_PRECONDITION
                .withDescription(what + " Add it to secrets or resources of the test, or give the step a fake.")
                .asRuntimeException();
    }
}
