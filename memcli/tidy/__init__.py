"""The heartbeat: one step a module, each incremental, checkpointed, killable at any point (C1)."""
