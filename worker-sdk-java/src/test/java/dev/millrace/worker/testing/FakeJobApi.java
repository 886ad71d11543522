package dev.millrace.worker.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.worker.v1.AcquireLockRequest;
import dev.millrace.proto.worker.v1.AcquireLockResponse;
import dev.millrace.proto.worker.v1.GetDataRequest;
import dev.millrace.proto.worker.v1.GetDataResponse;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.ReleaseLockRequest;
import dev.millrace.proto.worker.v1.ReleaseLockResponse;
import dev.millrace.proto.worker.v1.ResolveSecretsRequest;
import dev.millrace.proto.worker.v1.ResolveSecretsResponse;
import dev.millrace.proto.worker.v1.ResolvedValue;
import dev.millrace.proto.worker.v1.SetDataRequest;
import dev.millrace.proto.worker.v1.SetDataResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Serves calls of running jobs from memory: the data of one run, one mutex that is busy as often as the test says, and
 * the secrets of all jobs.
 */
public final class FakeJobApi extends JobApiServiceGrpc.JobApiServiceImplBase {
    public static final long FENCE = 7;

    private final Map<String, ByteString> data = new ConcurrentHashMap<>();
    private final Queue<Object> requests = new ConcurrentLinkedQueue<>();
    private final AtomicInteger lostAnswers = new AtomicInteger();
    private final AtomicInteger busyAnswers = new AtomicInteger();
    private volatile boolean leaseLost;
    private volatile ResolveSecretsResponse secrets = ResolveSecretsResponse.getDefaultInstance();
    private volatile @Nullable StatusRuntimeException secretsRefusal;
    private volatile boolean secretsHeld;
    private final CountDownLatch heldRequest = new CountDownLatch(1);

    /** Loses the answers of the next calls, which still take effect. */
    public void loseAnswers(int count) {
        lostAnswers.set(count);
    }

    /** Makes the next attempts find the mutex held by another job. */
    public void beBusy(int count) {
        busyAnswers.set(count);
    }

    /** Makes all leases invalid. */
    public void loseLeases() {
        leaseLost = true;
    }

    /** Puts a secret, a text that needs no escapes in JSON, in place of what a pointer leads to. */
    public void resolveTo(String pointer, String secret) {
        resolveTo(pointer, '"' + secret + '"', secret);
    }

    /** Puts JSON in place of what a pointer leads to, and masks these secrets. */
    public void resolveTo(String pointer, String json, String... masked) {
        secrets = ResolveSecretsResponse.newBuilder()
                .addValues(ResolvedValue.newBuilder().setPointer(pointer).setValue(ByteString.copyFromUtf8(json)))
                .addAllMasked(Stream.of(masked).map(ByteString::copyFromUtf8).toList())
                .build();
    }

    /** Refuses all secrets. */
    public void refuseSecrets(StatusRuntimeException refusal) {
        secretsRefusal = refusal;
    }

    /** Leaves requests for secrets without an answer. */
    public void holdSecrets(boolean held) {
        secretsHeld = held;
    }

    /** Waits for a request for secrets that is left without an answer. */
    public void awaitSecretsRequest() throws InterruptedException {
        if (!heldRequest.await(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("The worker has not asked for secrets.");
        }
    }

    /** All requests of a kind, in order. */
    public <T> java.util.List<T> requests(Class<T> kind) {
        return requests.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    @Override
    public void acquireLock(AcquireLockRequest request, StreamObserver<AcquireLockResponse> responses) {
        AcquireLockResponse.Builder response = AcquireLockResponse.newBuilder();
        if (busyAnswers.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            response.setRetryAfter(Duration.newBuilder().setSeconds(1));
        } else {
            response.setAcquired(true).setFence(FENCE);
        }
        answer(request, response.build(), responses);
    }

    @Override
    public void releaseLock(ReleaseLockRequest request, StreamObserver<ReleaseLockResponse> responses) {
        answer(request, ReleaseLockResponse.newBuilder().setReleased(true).build(), responses);
    }

    @Override
    public void setData(SetDataRequest request, StreamObserver<SetDataResponse> responses) {
        data.put(request.getKey(), request.getValue());
        answer(request, SetDataResponse.getDefaultInstance(), responses);
    }

    @Override
    public void getData(GetDataRequest request, StreamObserver<GetDataResponse> responses) {
        ByteString value = data.get(request.getKey());
        GetDataResponse.Builder response = GetDataResponse.newBuilder();
        answer(
                request,
                value == null
                        ? response.build()
                        : response.setFound(true).setValue(value).build(),
                responses);
    }

    @Override
    public void resolveSecrets(ResolveSecretsRequest request, StreamObserver<ResolveSecretsResponse> responses) {
        StatusRuntimeException refusal = secretsRefusal;
        if (refusal != null) {
            responses.onError(refusal);
        } else if (secretsHeld) {
            heldRequest.countDown();
        } else {
            answer(request, secrets, responses);
        }
    }

    private <T> void answer(Object request, T response, StreamObserver<T> responses) {
        requests.add(request);
        if (leaseLost) {
            responses.onError(Status.FAILED_PRECONDITION
                    .withDescription("The lease is no longer held.")
                    .asRuntimeException());
        } else if (lostAnswers.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            responses.onError(Status.UNAVAILABLE.asRuntimeException());
        } else {
            responses.onNext(response);
            responses.onCompleted();
        }
    }
}
