package dev.millrace.gateway;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerConfig;
import dev.millrace.gateway.access.GatewayToken;
import dev.millrace.gateway.access.Site;
import dev.millrace.gateway.access.TrustedProxies;
import dev.millrace.gateway.alert.AlertEndpoints;
import dev.millrace.gateway.audit.AuditEndpoints;
import dev.millrace.gateway.blob.BlobEndpoints;
import dev.millrace.gateway.connection.ConnectionLimits;
import dev.millrace.gateway.console.ConsoleEndpoints;
import dev.millrace.gateway.docs.DocsEndpoints;
import dev.millrace.gateway.event.EventEndpoints;
import dev.millrace.gateway.eventhandler.ConductorEventEndpoints;
import dev.millrace.gateway.eventhandler.EventHandlerEndpoints;
import dev.millrace.gateway.flow.FlowEndpoints;
import dev.millrace.gateway.health.HealthEndpoints;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.http.EventStreams;
import dev.millrace.gateway.http.Routes;
import dev.millrace.gateway.identity.OwnerEndpoints;
import dev.millrace.gateway.identity.RoleEndpoints;
import dev.millrace.gateway.identity.ServiceAccountEndpoints;
import dev.millrace.gateway.identity.UserEndpoints;
import dev.millrace.gateway.identity.WhoAmIEndpoint;
import dev.millrace.gateway.key.KeyEndpoints;
import dev.millrace.gateway.log.LogEndpoints;
import dev.millrace.gateway.login.DeviceEndpoints;
import dev.millrace.gateway.login.DevicePages;
import dev.millrace.gateway.login.LoginEndpoints;
import dev.millrace.gateway.login.OAuthEndpoint;
import dev.millrace.gateway.login.SessionEndpoints;
import dev.millrace.gateway.login.TrustEndpoints;
import dev.millrace.gateway.operation.BulkOperationEndpoints;
import dev.millrace.gateway.operation.OperationEndpoints;
import dev.millrace.gateway.problem.Problems;
import dev.millrace.gateway.problem.StatusProblems;
import dev.millrace.gateway.queue.QueueEndpoints;
import dev.millrace.gateway.quota.QuotaEndpoints;
import dev.millrace.gateway.resource.ResourceEndpoints;
import dev.millrace.gateway.resource.ResourceTypeEndpoints;
import dev.millrace.gateway.rpc.CallHeaders;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.gateway.run.ExplainEndpoint;
import dev.millrace.gateway.run.RunEndpoints;
import dev.millrace.gateway.run.RunEventsEndpoint;
import dev.millrace.gateway.run.RunFeedEndpoint;
import dev.millrace.gateway.run.TraceEndpoint;
import dev.millrace.gateway.run.feed.RunFeeds;
import dev.millrace.gateway.schedule.ScheduleEndpoints;
import dev.millrace.gateway.script.ScriptEndpoints;
import dev.millrace.gateway.secret.SecretEndpoints;
import dev.millrace.gateway.server.ServerEndpoints;
import dev.millrace.gateway.signal.SignalEndpoints;
import dev.millrace.gateway.signal.WaitLinkEndpoints;
import dev.millrace.gateway.telemetry.GatewayMetrics;
import dev.millrace.gateway.telemetry.Traces;
import dev.millrace.gateway.token.ProgramTokenEndpoints;
import dev.millrace.gateway.token.TokenEndpoints;
import dev.millrace.gateway.trigger.HookEndpoint;
import dev.millrace.gateway.trigger.TriggerEndpoints;
import dev.millrace.gateway.version.VersionEndpoints;
import dev.millrace.gateway.worker.WorkerEndpoints;
import dev.millrace.gateway.workspace.WorkspaceEndpoints;
import dev.millrace.metrics.Metrics;
import dev.millrace.telemetry.Telemetry;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway: the public interface of Millrace over HTTP.
 *
 * <p>It starts without a scheduler, and answers 503 until it reaches one. Thread-safe.
 */
public final class Gateway implements AutoCloseable {

    /** Name of the service in traces. */
    private static final String SERVICE = "millrace-gateway";

    private static final Logger log = LoggerFactory.getLogger(Gateway.class);

    /** Time that requests in progress get to finish when the gateway stops. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(3);

    /** Limit of method, address and version of a request, in bytes; the longest addresses are searches by payloads. */
    private static final int INITIAL_LINE_LENGTH_MAX = 8 << 10;

    private static final int HEADERS_BYTES_MAX = 16 << 10;

    private final String host;
    private final Server server;
    private final Scheduler scheduler;
    private final EventStreams streams;
    private final List<Endpoint> endpoints;
    private final HttpTls tls;
    private final Traces traces;

    private Gateway(
            String host,
            Server server,
            Scheduler scheduler,
            EventStreams streams,
            List<Endpoint> endpoints,
            HttpTls tls,
            Traces traces) {
        this.host = host;
        this.server = server;
        this.scheduler = scheduler;
        this.streams = streams;
        this.endpoints = endpoints;
        this.tls = tls;
        this.traces = traces;
    }

    /**
     * Starts listening.
     *
     * @throws IllegalStateException if the address cannot be listened on
     * @throws IllegalArgumentException if a certificate cannot be used, or if tokens would leave the machine in plain
     *     text
     */
    public static Gateway start(GatewayConfig config) {
        return start(config, Metrics.ofProcess());
    }

    /**
     * Starts like {@link #start(GatewayConfig)}.
     *
     * @param process metrics of this process, which the gateway serves
     */
    public static Gateway start(GatewayConfig config, Metrics process) {
        config.tls().requireProtection(config.host(), config.schedulerTarget());
        var problems = new Problems(new StatusProblems(config.schedulerTarget()), config.requestBytesMax());
        var memory = GatewayMemory.ofHeap();
        var site = new Site(config.publicUrl(), config.allowedHosts());
        var scheduler = Scheduler.at(
                config.schedulerTarget(),
                config.tls().scheduler(),
                config.rpcTimeout(),
                config.responseBytesMax(),
                memory.answers(),
                callHeaders(config, site));
        var streams = new EventStreams(scheduler, problems, config.keepAliveInterval(), config.streamsMax());
        var metrics = new GatewayMetrics(process, memory.parts());
        var endpoints = endpoints(scheduler, streams, memory, metrics, site, problems, config.schedulerTarget());
        var tls = HttpTls.open(config.tls().http());
        var traces = new Traces(Telemetry.start(SERVICE));
        var gateway = new Gateway(
                config.host(),
                server(config, tls, site, memory, problems, metrics, traces, endpoints),
                scheduler,
                streams,
                endpoints,
                tls,
                traces);
        try {
            gateway.server.start().join();
        } catch (CompletionException e) {
            gateway.close();
            throw new IllegalStateException(
                    "The gateway cannot listen on " + config.host() + ":" + config.port()
                            + ". Set millrace.http.host and millrace.http.port to an address that is free.",
                    e.getCause());
        }
        log.atInfo()
                .addKeyValue("host", config.host())
                .addKeyValue("port", gateway.port())
                .addKeyValue("tls", config.tls().http().isPresent())
                .addKeyValue("scheduler", config.schedulerTarget())
                .log("Gateway started");
        return gateway;
    }

    /** The port in use, also if port 0 was configured. */
    public int port() {
        return server.activeLocalPort();
    }

    /** The listening address, as configured. */
    public String host() {
        return host;
    }

    /** All served endpoints, for the test that compares them with the documentation. */
    List<Endpoint> endpoints() {
        return endpoints;
    }

    /** The configured Armeria server, for tests. */
    ServerConfig serverConfig() {
        return server.config();
    }

    /** Rejects new requests, breaks off event streams, and lets other requests finish for {@link #STOP_TIMEOUT}. */
    @Override
    public void close() {
        var stopped = server.stop();
        streams.close();
        stopped.join();
        scheduler.close();
        tls.close();
        traces.close();
    }

    private static List<Endpoint> endpoints(
            Scheduler scheduler,
            EventStreams streams,
            GatewayMemory memory,
            GatewayMetrics metrics,
            Site site,
            Problems problems,
            String schedulerTarget) {
        return Stream.of(
                        new RunEndpoints(scheduler).all(),
                        new RunEventsEndpoint(streams).all(),
                        new RunFeedEndpoint(scheduler, streams, new RunFeeds(scheduler)).all(),
                        new ExplainEndpoint(scheduler).all(),
                        new TraceEndpoint(scheduler).all(),
                        new OperationEndpoints(scheduler).all(),
                        new BulkOperationEndpoints(scheduler).all(),
                        new SignalEndpoints(scheduler).all(),
                        new WaitLinkEndpoints(scheduler).all(),
                        new LogEndpoints(scheduler, streams).all(),
                        new BlobEndpoints(scheduler, streams, memory.requests()).all(),
                        new FlowEndpoints(scheduler).all(),
                        new ScriptEndpoints(scheduler).all(),
                        new VersionEndpoints(scheduler).all(),
                        new WorkerEndpoints(scheduler).all(),
                        new QueueEndpoints(scheduler).all(),
                        new ServerEndpoints(scheduler).all(),
                        new WhoAmIEndpoint(scheduler).all(),
                        new UserEndpoints(scheduler).all(),
                        new OwnerEndpoints(scheduler).all(),
                        new ServiceAccountEndpoints(scheduler).all(),
                        new RoleEndpoints(scheduler).all(),
                        new TokenEndpoints(scheduler).all(),
                        new ProgramTokenEndpoints(scheduler).all(),
                        new WorkspaceEndpoints(scheduler).all(),
                        new QuotaEndpoints(scheduler).all(),
                        new AuditEndpoints(scheduler, streams).all(),
                        new EventEndpoints(streams).all(),
                        new AlertEndpoints(scheduler).all(),
                        new SecretEndpoints(scheduler).all(),
                        new ResourceEndpoints(scheduler).all(),
                        new ResourceTypeEndpoints(scheduler).all(),
                        new ScheduleEndpoints(scheduler).all(),
                        new TriggerEndpoints(scheduler).all(),
                        new EventHandlerEndpoints(scheduler).all(),
                        new ConductorEventEndpoints(scheduler).all(),
                        new HookEndpoint(scheduler).all(),
                        new KeyEndpoints(scheduler).all(),
                        new LoginEndpoints(scheduler, site, problems).all(),
                        new SessionEndpoints(scheduler, site, problems).all(),
                        new DeviceEndpoints(scheduler, site).all(),
                        new DevicePages(scheduler, problems).all(),
                        new OAuthEndpoint(scheduler, problems).all(),
                        new TrustEndpoints(scheduler).all(),
                        new HealthEndpoints(scheduler, schedulerTarget).all(),
                        metrics.all(),
                        new DocsEndpoints().all(),
                        new ConsoleEndpoints().all())
                .flatMap(List::stream)
                .toList();
    }

    private static CallHeaders callHeaders(GatewayConfig config, Site site) {
        return new CallHeaders(
                site,
                config.host(),
                TrustedProxies.of(config.trustedProxies()),
                config.tokenFile().map(GatewayToken::in));
    }

    private static Server server(
            GatewayConfig config,
            HttpTls tls,
            Site site,
            GatewayMemory memory,
            Problems problems,
            GatewayMetrics metrics,
            Traces traces,
            List<Endpoint> endpoints) {
        ServerBuilder builder = tls.listen(Server.builder(), new InetSocketAddress(config.host(), config.port()))
                .errorHandler(problems)
                .maxRequestLength(config.requestBytesMax())
                .requestTimeout(config.rpcTimeout().multipliedBy(2))
                .maxNumConnections(memory.connectionsMax())
                .idleTimeout(config.idleTimeout())
                .http1MaxInitialLineLength(INITIAL_LINE_LENGTH_MAX)
                .http1MaxHeaderSize(HEADERS_BYTES_MAX)
                .http2MaxHeaderListSize(HEADERS_BYTES_MAX)
                .gracefulShutdownTimeout(Duration.ZERO, STOP_TIMEOUT)
                .disableServerHeader()
                // Problems answers each failed request, and logs those failures that are unexpected.
                .unloggedExceptionsReportInterval(Duration.ZERO);
        new Routes(endpoints, ConsoleEndpoints.strayPage())
                .configure(
                        builder,
                        problems,
                        config.requestBytesMax(),
                        memory.requests(),
                        site,
                        (route, service) -> traces.traced(route, metrics.timed(route, service)));
        // Around everything else, so that each request counts.
        ConnectionLimits.apply(builder, memory.calls());
        return builder.build();
    }
}
