package dev.millrace.scheduler;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.access.ClientAddress;
import dev.millrace.scheduler.access.WorkspaceGate;
import dev.millrace.scheduler.bulk.BulkGrpcService;
import dev.millrace.scheduler.bulk.BulkOperations;
import dev.millrace.scheduler.bulk.BulkWork;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.event.Events;
import dev.millrace.scheduler.eventhandler.EventHandlerParts;
import dev.millrace.scheduler.eventtrigger.EventTriggers;
import dev.millrace.scheduler.explain.ExplainGrpcService;
import dev.millrace.scheduler.explain.Explanations;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.FlowGrpcService;
import dev.millrace.scheduler.flow.FlowScripts;
import dev.millrace.scheduler.flow.FlowStore;
import dev.millrace.scheduler.flow.Flows;
import dev.millrace.scheduler.flow.core.graph.Defaults;
import dev.millrace.scheduler.identity.StandingTokens;
import dev.millrace.scheduler.inbound.InboundParts;
import dev.millrace.scheduler.input.InputSchemas;
import dev.millrace.scheduler.input.SchemaRuns;
import dev.millrace.scheduler.jobapi.JobApiGrpcService;
import dev.millrace.scheduler.jobapi.JobRights;
import dev.millrace.scheduler.jobapi.JobRunGrpcService;
import dev.millrace.scheduler.jobapi.JobSecrets;
import dev.millrace.scheduler.jobapi.JobValueGrpcService;
import dev.millrace.scheduler.jobapi.RunQuota;
import dev.millrace.scheduler.kafka.TopicConsumers;
import dev.millrace.scheduler.log.LogGrpcService;
import dev.millrace.scheduler.log.LogReader;
import dev.millrace.scheduler.log.LogSearch;
import dev.millrace.scheduler.operation.OperationGrpcService;
import dev.millrace.scheduler.operation.Operations;
import dev.millrace.scheduler.packages.AheadRuns;
import dev.millrace.scheduler.packages.PackageLocks;
import dev.millrace.scheduler.packages.PackageRuns;
import dev.millrace.scheduler.pin.PinGrpcService;
import dev.millrace.scheduler.pin.Pins;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.resource.ResourceGrpcService;
import dev.millrace.scheduler.resource.Resources;
import dev.millrace.scheduler.rpc.Followers;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.run.search.RunSearches;
import dev.millrace.scheduler.run.service.RunGrpcService;
import dev.millrace.scheduler.run.step.Steps;
import dev.millrace.scheduler.runtime.Closing;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.schedule.ScheduleGrpcService;
import dev.millrace.scheduler.schedule.ScheduleLoop;
import dev.millrace.scheduler.schedule.Schedules;
import dev.millrace.scheduler.script.ScriptGrpcService;
import dev.millrace.scheduler.script.ScriptStore;
import dev.millrace.scheduler.script.Scripts;
import dev.millrace.scheduler.secret.KeyGrpcService;
import dev.millrace.scheduler.secret.SecretGrpcService;
import dev.millrace.scheduler.secret.SecretParts;
import dev.millrace.scheduler.signal.SignalGrpcService;
import dev.millrace.scheduler.signal.TaskSignals;
import dev.millrace.scheduler.signal.Waits;
import dev.millrace.scheduler.submission.Debounces;
import dev.millrace.scheduler.submission.RerunInputs;
import dev.millrace.scheduler.submission.Submissions;
import dev.millrace.scheduler.trace.RunTraces;
import dev.millrace.scheduler.trace.TraceGrpcService;
import dev.millrace.scheduler.trace.Tracing;
import dev.millrace.scheduler.trigger.DeclaredKind;
import dev.millrace.scheduler.trigger.DeclaredTriggers;
import dev.millrace.scheduler.trigger.TriggerConnections;
import dev.millrace.scheduler.trigger.TriggerRights;
import dev.millrace.scheduler.trigger.TriggerSecrets;
import dev.millrace.scheduler.trigger.TriggerStarts;
import dev.millrace.scheduler.version.VersionGrpcService;
import dev.millrace.scheduler.version.VersionsChanged;
import dev.millrace.scheduler.webhook.RunResults;
import dev.millrace.tls.AddressRule;
import io.grpc.BindableService;
import java.util.ArrayList;
import java.util.List;

/** Creates the services that a scheduler offers to people and programs, for scripts, flows, runs and logs. */
final class Services {
    private final SchedulerConfig config;
    private final Scripts scripts;
    private final InputSchemas schemas;
    private final Flows flows;
    private final FlowCatalog catalog;
    private final Tracing tracing;

    Services(SchedulerConfig config, Database database, Tracing tracing, EventBus bus) {
        this.config = config;
        this.tracing = tracing;
        Runnable versionsChanged = () -> bus.publish(new VersionsChanged());
        this.scripts = new Scripts(new ScriptStore(database), versionsChanged);
        FlowStore store = new FlowStore(database);
        this.schemas = new InputSchemas(database);
        this.flows = new Flows(
                store, new FlowScripts(scripts, schemas, config.limit().scriptBytesMax()), versionsChanged);
        this.catalog = new FlowCatalog(store, new Defaults(config.job().timeoutDefault()));
    }

    Scripts scripts() {
        return scripts;
    }

    Flows flows() {
        return flows;
    }

    FlowCatalog catalog() {
        return catalog;
    }

    /** Reads what callers give for another run of something. */
    RerunInputs rerunInputs() {
        return new RerunInputs(catalog, scripts, flows, config.limit().payloadBytesMax());
    }

    /** The gRPC services on top of {@code engine}. */
    List<BindableService> serve(
            Engine engine,
            Runs runs,
            BulkWork bulkWork,
            SecretParts secrets,
            JobRights jobRights,
            RunQuota runQuota,
            TriggerRights triggerRights,
            StandingTokens standingTokens,
            EventBus bus,
            Closing parts,
            WorkspaceGate workspaces,
            Database database,
            LogReader logs,
            RunEvents events,
            Events stream,
            Followers followers,
            Metrics metrics) {
        Steps steps = new Steps(database, engine.startedJobs());
        RunSearches searches = new RunSearches(database, engine.startedJobs());
        Resources resources = new Resources(database);
        RerunInputs inputs = rerunInputs();
        Submissions submissions = new Submissions(
                engine.queue(),
                scripts,
                schemas,
                flows,
                catalog,
                engine.ids(),
                config,
                new Debounces(database, catalog, engine.ids(), config.limit().payloadBytesMax(), engine.pendingRuns()),
                tracing::begin);
        PackageLocks packages = new PackageLocks(database);
        AheadRuns aheadRuns = new AheadRuns(engine.queue(), engine.ids());
        PackageRuns packageRuns = new PackageRuns(aheadRuns, packages);
        Operations operations = new Operations(database, engine.operations(), runs, inputs, engine.ids());
        Waits waits = new Waits(database, runs, engine.signals(), engine.ids());
        TriggerStarts triggerStarts = parts.add(
                TriggerStarts.start(database, triggerRights, submissions, operations, runQuota::take, metrics));
        Schedules schedules = new Schedules(database, submissions, standingTokens, triggerStarts, engine.ids(), bus);
        parts.add(ScheduleLoop.start(database, triggerStarts, engine.ids(), bus, metrics));
        TriggerSecrets triggerSecrets = new TriggerSecrets(secrets.secrets());
        EventTriggers eventTriggers = parts.add(EventTriggers.start(
                database, submissions, standingTokens, triggerStarts, triggerRights, stream, engine.ids()));
        TriggerConnections connections = new TriggerConnections(secrets.secrets(), resources);
        AddressRule hosts = config.trigger().addressRule();
        TopicConsumers consumers = new TopicConsumers(hosts, connections);
        InboundParts inbound = new InboundParts(
                database,
                submissions,
                standingTokens,
                engine.ids(),
                new InboundParts.Means(
                        triggerStarts,
                        triggerSecrets,
                        connections,
                        hosts,
                        consumers,
                        config.limit().payloadBytesMax(),
                        metrics),
                eventTriggers,
                parts);
        EventHandlerParts handlers = parts.add(EventHandlerParts.start(
                database,
                bus,
                engine.ids(),
                new EventHandlerParts.Means(
                        submissions,
                        runQuota::take,
                        operations,
                        runs,
                        new TaskSignals(database, runs, engine.signals(), engine.ids()),
                        triggerRights,
                        standingTokens,
                        consumers,
                        triggerStarts.troubles(),
                        triggerStarts.turns()),
                metrics));
        List<DeclaredKind> declared = new ArrayList<>(inbound.declared());
        declared.add(schedules.declared());
        SchemaRuns schemaRuns = new SchemaRuns(aheadRuns, schemas);
        return List.of(
                new ScriptGrpcService(scripts, packages, packageRuns, schemas, schemaRuns, config.limit()),
                new FlowGrpcService(
                        flows, scripts, packageRuns, schemaRuns, config.limit(), new DeclaredTriggers(declared)),
                new LogGrpcService(logs, new LogSearch(database), runs, events, followers),
                new RunGrpcService(submissions, runs, steps, searches, logs, events, followers),
                new OperationGrpcService(operations),
                new VersionGrpcService(database),
                new PinGrpcService(new Pins(database, runs, engine.ids())),
                new BulkGrpcService(new BulkOperations(database, searches, bulkWork), inputs, engine.ids()),
                new ExplainGrpcService(new Explanations(database, runs, catalog)),
                new TraceGrpcService(new RunTraces(database, engine.startedJobs(), tracing)),
                new SignalGrpcService(waits),
                new JobApiGrpcService(
                        database,
                        jobRights,
                        scripts,
                        schemas,
                        new JobSecrets(database, catalog, secrets.secrets(), resources)),
                new JobValueGrpcService(database, jobRights, secrets.secrets(), resources),
                new JobRunGrpcService(database, jobRights, submissions, runs, events, operations, waits, runQuota),
                new SecretGrpcService(secrets.secrets()),
                new KeyGrpcService(secrets.keys()),
                new ResourceGrpcService(resources),
                new ScheduleGrpcService(schedules),
                handlers.service(),
                ClientAddress.shownTo(inbound.service(new RunResults(runs, events), workspaces)));
    }
}
