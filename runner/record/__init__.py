"""Any harness command as one fresh deployment: launched, watched, and its environment looked at before and after."""
