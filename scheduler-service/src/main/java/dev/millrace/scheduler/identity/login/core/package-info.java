/** What is decided about logins from values alone. */
@NullMarked
package dev.millrace.scheduler.identity.login.core;

import org.jspecify.annotations.NullMarked;
