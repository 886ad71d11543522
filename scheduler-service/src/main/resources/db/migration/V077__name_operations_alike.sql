-- Each operation has one name in the contract, over REST, on the command line and here.
update run_operation set operation = 'skip' where operation = 'skip_step';
update run_operation set operation = 'rerun' where operation = 'rerun_from';
update bulk_operation set operation = 'skip' where operation = 'skip_step';
update bulk_operation set operation = 'rerun' where operation = 'rerun_from';
update run_origin set relation = 'rerun' where relation = 'rerun_from';
