import type { components } from "#openapi";

/** The words of the API, as its OpenAPI document describes them. */
type Schemas = components["schemas"];

export type Run = Schemas["Run"];
export type RunState = Schemas["RunState"];
export type Step = Schemas["Step"];
export type StepState = Step["state"];
export type LogChunk = Schemas["LogChunk"];
export type JobError = Schemas["JobError"];
export type Wait = Schemas["Wait"];
export type Flow = Schemas["Flow"];
export type Script = Schemas["Script"];
export type Target = Schemas["Target"];
export type Submission = Schemas["Submission"];
export type Worker = Schemas["Worker"];
export type Workspace = Schemas["Workspace"];
export type Problem = Schemas["Problem"];
export type RoleBinding = Schemas["RoleBinding"];
export type RunOperation = Schemas["RunOperation"];
export type Schedule = Schemas["Schedule"];
export type NewSchedule = Schemas["NewSchedule"];
export type ScheduleStart = Schemas["ScheduleStart"];
export type Trigger = Schemas["Trigger"];
export type TriggerKind = Trigger["kind"];
export type NewTrigger = Schemas["NewTrigger"];
export type Alert = Schemas["Alert"];
export type NewAlert = Schemas["NewAlert"];
export type Delivery = Schemas["Delivery"];
export type Principal = Schemas["Principal"];
export type Token = Schemas["Token"];
export type Secret = Schemas["Secret"];
export type Resource = Schemas["Resource"];
export type AuditEvent = Schemas["AuditEvent"];
export type RetentionStatus = Schemas["RetentionStatus"];
export type Quotas = Schemas["Quotas"];
export type QuotaUse = Schemas["QuotaUse"];
