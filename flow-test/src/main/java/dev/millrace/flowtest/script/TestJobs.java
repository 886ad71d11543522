package dev.millrace.flowtest.script;

import com.google.protobuf.ByteString;
import dev.millrace.proto.worker.v1.AcquireLockRequest;
import dev.millrace.proto.worker.v1.AcquireLockResponse;
import dev.millrace.proto.worker.v1.GetDataRequest;
import dev.millrace.proto.worker.v1.GetDataResponse;
import dev.millrace.proto.worker.v1.GetPackageLockRequest;
import dev.millrace.proto.worker.v1.GetPackageLockResponse;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.KeepPackageLockRequest;
import dev.millrace.proto.worker.v1.KeepPackageLockResponse;
import dev.millrace.proto.worker.v1.ReleaseLockRequest;
import dev.millrace.proto.worker.v1.ReleaseLockResponse;
import dev.millrace.proto.worker.v1.ResolveSecretsRequest;
import dev.millrace.proto.worker.v1.ResolveSecretsResponse;
import dev.millrace.proto.worker.v1.SetDataRequest;
import dev.millrace.proto.worker.v1.SetDataResponse;
import dev.millrace.scheduler.queue.core.Json;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers what running jobs ask for: the data of their runs, and mutexes, which nobody else holds, as jobs run one at a
 * time. Secrets and resources are those of the test.
 */
final class TestJobs extends JobApiServiceGrpc.JobApiServiceImplBase {
    /** Runs and versions of the jobs, by their ids. */
    private final Map<String, Job> jobs = new ConcurrentHashMap<>();

    private final Map<Key, ByteString> data = new ConcurrentHashMap<>();
    private final Map<Key, String> packages = new ConcurrentHashMap<>();
    private final AtomicLong fence = new AtomicLong();

    private record Job(String run, String version, Json input, NamedValues values) {}

    private record Key(String of, String name) {}

    void begin(String jobId, ScriptCall call, String version) {
        jobs.put(jobId, new Job(call.run(), version, call.input(), call.values()));
    }

    void end(String jobId) {
        jobs.remove(jobId);
    }

    /** The secrets and resources for a job. */
    NamedValues values(String jobId) {
        return job(jobId).values();
    }

    /** Forgets the data of all runs. */
    void clear() {
        data.clear();
    }

    @Override
    public void acquireLock(AcquireLockRequest request, StreamObserver<AcquireLockResponse> observer) {
        answer(
                observer,
                AcquireLockResponse.newBuilder()
                        .setAcquired(true)
                        .setFence(fence.incrementAndGet())
                        .build());
    }

    @Override
    public void releaseLock(ReleaseLockRequest request, StreamObserver<ReleaseLockResponse> observer) {
        answer(observer, ReleaseLockResponse.newBuilder().setReleased(true).build());
    }

    @Override
    public void setData(SetDataRequest request, StreamObserver<SetDataResponse> observer) {
        data.put(new Key(job(request.getJobId()).run(), request.getKey()), request.getValue());
        answer(observer, SetDataResponse.getDefaultInstance());
    }

    @Override
    public void getData(GetDataRequest request, StreamObserver<GetDataResponse> observer) {
        ByteString value = data.get(new Key(job(request.getJobId()).run(), request.getKey()));
        answer(
                observer,
                value == null
                        ? GetDataResponse.getDefaultInstance()
                        : GetDataResponse.newBuilder()
                                .setFound(true)
                                .setValue(value)
                                .build());
    }

    @Override
    public void getPackageLock(GetPackageLockRequest request, StreamObserver<GetPackageLockResponse> observer) {
        Key key = new Key(job(request.getJobId()).version(), request.getInterpreter());
        answer(
                observer,
                GetPackageLockResponse.newBuilder()
                        .setLock(packages.getOrDefault(key, ""))
                        .build());
    }

    @Override
    public void keepPackageLock(KeepPackageLockRequest request, StreamObserver<KeepPackageLockResponse> observer) {
        Key key = new Key(job(request.getJobId()).version(), request.getInterpreter());
        packages.putIfAbsent(key, request.getLock());
        answer(
                observer,
                KeepPackageLockResponse.newBuilder()
                        .setLock(packages.getOrDefault(key, ""))
                        .build());
    }

    @Override
    public void resolveSecrets(ResolveSecretsRequest request, StreamObserver<ResolveSecretsResponse> observer) {
        Job job = job(request.getJobId());
        try {
            answer(observer, TestValues.resolve(job.input(), job.values()));
        } catch (StatusRuntimeException missing) {
            observer.onError(missing);
        }
    }

    private Job job(String id) {
        return jobs.getOrDefault(id, new Job("", "", Json.EMPTY_OBJECT, NamedValues.NONE));
    }

    private static <T> void answer(StreamObserver<T> observer, T response) {
        observer.onNext(response);
        observer.onCompleted();
    }
}
